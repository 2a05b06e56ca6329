/**
 * Files that are written as a whole, for the modules above that write some: {@link
 * org.troupe.deployment.files.AtomicFile} replaces a file's content in one step. Knows nothing of
 * what is written.
 */
package org.troupe.deployment.files;
