package org.opensearch.transport.grpc.spi;

/** Named by the k-NN plugin, which has a gRPC side that a test node does without. */
public interface QueryBuilderProtoConverter {}
