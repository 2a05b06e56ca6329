/** Turns object graphs into bytes and back with generated codecs; knows nothing of calls. */
module org.troupe.serialization {}
