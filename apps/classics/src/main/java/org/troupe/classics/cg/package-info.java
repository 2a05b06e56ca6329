/**
 * The conjugate gradient kernel of the NAS parallel benchmarks, with rows or blocks of its matrix.
 */
package org.troupe.classics.cg;
