import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

/** One OpenSearch node with k-NN on a free port or on the property `http.port`. Writes the port to HOME/port, exits when its standard input closes. */
public final class TestNode extends Node {
    private TestNode(Environment environment, Collection<PluginInfo> plugins) {
        super(environment, plugins, false);
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        try (TestNode node = new TestNode(environment(home), plugins())) {
            node.start();
            announce(home.resolve("port"), node.port());
            while (System.in.read() >= 0) {}
        }
        System.exit(0);
    }

    private static Environment environment(Path home) {
        Settings settings = Settings.builder()
            .put("path.home", home)
            .put("path.data", home.resolve("data"))
            .put("path.logs", home.resolve("logs"))
            .put("network.host", "127.0.0.1")
            .put("http.port", System.getProperty("http.port", "0"))
            .put("transport.port", "0")
            .put("discovery.type", "single-node")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("action.auto_create_index", false)
            .build();
        return InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "test-node");
    }

    private static List<PluginInfo> plugins() {
        return List.of(
            plugin("transport-netty4", "org.opensearch.transport.Netty4ModulePlugin"),
            plugin("analysis-common", "org.opensearch.analysis.common.CommonAnalysisModulePlugin"),
            plugin("reindex", "org.opensearch.index.reindex.ReindexModulePlugin"),
            plugin("lang-painless", "org.opensearch.painless.PainlessModulePlugin"),
            plugin("opensearch-knn", "org.opensearch.knn.plugin.KNNPlugin", "lang-painless")
        );
    }

    private static PluginInfo plugin(String name, String className, String... extended) {
        return new PluginInfo(name, "classpath plugin", "NA", Version.CURRENT, "21", className, null, List.of(extended), false);
    }

    private int port() {
        return injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
    }

    private static void announce(Path file, int port) throws Exception {
        Path draft = Files.writeString(file.resolveSibling("port.draft"), Integer.toString(port));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
