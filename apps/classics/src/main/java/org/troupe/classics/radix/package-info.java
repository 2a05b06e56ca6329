/** Numbers sorted by their digits, each sent to its owner. */
package org.troupe.classics.radix;
