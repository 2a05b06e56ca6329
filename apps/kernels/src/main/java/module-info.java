/**
 * Kernels that pass messages, each with a check of its result.
 *
 * <p>The module is open because ranks start the mains of its classes by reflection.
 */
open module org.troupe.kernels {
  requires static transitive org.jspecify;
  requires org.troupe.mpj;
}
