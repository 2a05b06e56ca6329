/** Runs the compilers of libraries above the Ibis Portability Layer on classes and jars. */
package ibis.compile;
