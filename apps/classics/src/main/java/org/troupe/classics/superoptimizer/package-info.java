/** The shortest code of a function, by trying all. */
package org.troupe.classics.superoptimizer;
