/** A plate relaxed by colours, with rows to neighbours in each half iteration. */
package org.troupe.classics.sor;
