package org.troupe.activeobjects.store;

/**
 * An image as a journal holds it.
 *
 * @param upTo the number of the last record whose effect the image contains; 0 for none
 * @param content the image; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying it would double its memory
public record StoredImage(long upTo, byte[] content) {}
