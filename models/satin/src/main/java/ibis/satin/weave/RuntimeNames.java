package ibis.satin.weave;

import java.lang.constant.ClassDesc;

/** The run-time classes that woven code names. */
final class RuntimeNames {

  static final ClassDesc ACTIVATION = ClassDesc.of("ibis.satin.impl.Activation");
  static final ClassDesc JOB = ClassDesc.of("ibis.satin.impl.SatinJob");
  static final ClassDesc LOCALS = ClassDesc.of("ibis.satin.impl.InletLocals");
  static final ClassDesc SATIN = ClassDesc.of("ibis.satin.impl.Satin");
  static final ClassDesc SHARED_WRITE = ClassDesc.of("ibis.satin.impl.SharedWrite");
  static final ClassDesc SHARED_OBJECT = ClassDesc.of("ibis.satin.SharedObject");

  private RuntimeNames() {}
}
