package org.opensearch.protobufs;

/** Named by the k-NN plugin, which has a gRPC side that a test node does without. */
public final class QueryContainer {
    public enum QueryContainerCase {}
}
