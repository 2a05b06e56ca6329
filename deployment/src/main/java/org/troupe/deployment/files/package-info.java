/**
 * Files that are written atomically, for this module and the applications: {@link
 * org.troupe.deployment.files.AtomicFile} replaces a file's content in one step; {@code
 * PrivateFolder} keeps sockets from other users. {@code StandardOutput} and {@code TerminalText}
 * are about the terminal. The package is independent of the content.
 */
@NullMarked
package org.troupe.deployment.files;

import org.jspecify.annotations.NullMarked;
