/** Maxwell's equations in the time domain on tetrahedra, solved by active objects. */
module org.troupe.em3d {
  requires info.picocli;
  requires org.troupe.deployment;
}
