package ibis.satin.weave;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * A spawnable method as a spawn names it.
 *
 * @param receiver the static type of the object it is called on
 */
record JobSignature(ClassDesc receiver, String method, MethodTypeDesc type) {}
