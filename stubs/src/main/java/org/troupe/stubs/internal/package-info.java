/** What generated classes refer to; exported, while running, only to the modules they live in. */
package org.troupe.stubs.internal;
