/**
 * The Barnes-Hut algorithm: gravity between bodies, where distant bodies are combined. Members send
 * in advance the data that others need.
 */
@NullMarked
package org.troupe.classics.barneshut;

import org.jspecify.annotations.NullMarked;
