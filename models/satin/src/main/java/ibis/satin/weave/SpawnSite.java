package ibis.satin.weave;

import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.ExceptionCatch;
import java.util.List;

/**
 * A call that is a spawn.
 *
 * @param number its position among the spawns of the method
 * @param call the element that calls
 * @param end the element that stores the result, or {@code call} if there is none
 * @param conversions what is applied to the result before it is stored
 * @param inlets the {@code catch} clauses around it, the first to be tried first
 * @param clears whether its variable holds nothing of its own yet, so that it is cleared
 */
record SpawnSite(
    int number,
    int call,
    int end,
    JobSignature job,
    ResultPlace place,
    List<CodeElement> conversions,
    List<ExceptionCatch> inlets,
    boolean clears) {}
