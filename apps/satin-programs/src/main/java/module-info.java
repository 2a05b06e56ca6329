/**
 * Programs of divide and conquer for Satin, each with a check of its result.
 *
 * <p>The module is open because nodes create the jobs of its classes by reflection.
 */
open module org.troupe.satin.programs {
  requires static transitive org.jspecify;
  requires org.troupe.satin;
}
