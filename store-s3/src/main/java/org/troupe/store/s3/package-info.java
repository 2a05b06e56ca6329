/**
 * A store of active objects in a bucket of an S3-compatible object store.
 *
 * <p>Read {@link org.troupe.store.s3.S3Store} first. {@code S3Journals} is the store of one
 * process, whose right to use it is a {@code RunLease}; {@code S3Journal} is the journal of one
 * object, a chain of {@code JournalPart}s. All of them reach the server through {@code Bucket},
 * which bounds the time of each request, and {@code BucketFailure} explains those that fail.
 */
@NullMarked
package org.troupe.store.s3;

import org.jspecify.annotations.NullMarked;
