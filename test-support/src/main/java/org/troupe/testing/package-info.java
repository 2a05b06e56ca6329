/**
 * Support for the tests of all modules. {@link org.troupe.testing.LogExtension} applies to every
 * test class: log records are kept instead of printed, and a record of level WARNING or above fails
 * the test that logs it without expecting it by {@link org.troupe.testing.LogRecords}. {@link
 * org.troupe.testing.HungTestExtension} ends a JVM whose test hangs. {@link
 * org.troupe.testing.PlainFiles} shows a JVM the files of this machine as Windows would. {@link
 * org.troupe.testing.FolderProgram} runs a program from a folder.
 */
@NullMarked
package org.troupe.testing;

import org.jspecify.annotations.NullMarked;
