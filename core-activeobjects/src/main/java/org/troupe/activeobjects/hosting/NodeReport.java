package org.troupe.activeobjects.hosting;

/**
 * The state of a node at one moment, in about 2 KiB. Immutable.
 *
 * @param heapUsedBytes the heap in use, garbage included
 * @param heapMostBytes the maximum size of the heap
 * @param heapKeptBytes the heap in use after the last collection; 0 if there was none
 * @param residentBytes the process's resident memory; 0 if unknown
 * @param threads the number of platform threads
 * @param cpuNanos processor time since the start of the process; 0 if unknown
 * @param collectionNanos the time that garbage collections have taken
 * @param upNanos time since the start of the JVM
 * @param objects the number of active objects that other JVMs refer to
 * @param queued the approximate number of requests in the queues of the objects looked at
 * @param waiting how many of those wait for a call or future without a time limit, so that they
 *     serve nothing meanwhile
 * @param pending how many results of its calls to other nodes have not arrived
 * @param trouble what prevents the node from serving requests; empty if nothing does
 * @param activity what the node does
 */
public record NodeReport(
    long heapUsedBytes,
    long heapMostBytes,
    long heapKeptBytes,
    long residentBytes,
    int threads,
    long cpuNanos,
    long collectionNanos,
    long upNanos,
    int objects,
    int queued,
    int waiting,
    int pending,
    String trouble,
    NodeActivity activity) {}
