package org.troupe.activeobjects.internal.marshal;

import java.io.IOException;
import java.lang.StackWalker.StackFrame;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;

/**
 * The source line from which the lambdas of one class are passed to {@code ask} or {@code tell}.
 * Thread-safe.
 */
public final class AskSite {

  /*
   * Design: the line of an ask, by the class of its lambda
   *
   * A stack walk takes longer than all the rest of an ask. In ref.ask(Solver::energy) the lambda is created by the
   * instruction just before the call of ask, and the JVM links each such instruction to a class of its own. If byte code
   * shows that its lambdas go nowhere but into this one call, then their class identifies the line, and later asks
   * look it up. A lambda that a variable holds may be passed from several lines, so its asks are always walked.
   *
   * Proof. After some walks the class file of the calling frame is read, once. It must show, at the frame's position,
   * a call of ask or tell; directly before it, an invokedynamic of LambdaMetafactory that makes the argument; no jump,
   * switch or exception handler that leads to the call without that instruction; and on its line, which must be
   * the frame's, no other such call in the method. The last condition excludes that an agent has moved the instructions of the
   * loaded class, so that the file shows another call than the one that was made. The calling frame itself must be
   * the user's, as the frames between the user's code and the call would depend on the caller, not on the lambda.
   *
   * A class file is read after WALKS_BEFORE_PROOF walks, since reading it takes about as long as they do.
   */
  private static final int WALKS_BEFORE_PROOF = 256;

  private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";
  private static final ClassDesc ASKED = Ref.Asked.class.describeConstable().orElseThrow();
  private static final ClassDesc TOLD = Ref.Told.class.describeConstable().orElseThrow();

  private static final ClassValue<AskSite> OF_LAMBDAS =
      new ClassValue<>() {
        @Override
        protected AskSite computeValue(Class<?> type) {
          return new AskSite();
        }
      };

  private volatile @Nullable StackFrame proven;
  private int walks; // a race loses a count; beyond WALKS_BEFORE_PROOF there is no proof

  private AskSite() {}

  static AskSite ofLambdas(Class<?> type) {
    return OF_LAMBDAS.get(type);
  }

  /**
   * Returns the topmost frame of the user's code on the current stack.
   *
   * @param lambda the argument of the {@code ask} or {@code tell} that the current thread executes
   */
  public static @Nullable StackFrame of(Object lambda) {
    var site = ofLambdas(lambda.getClass());
    var known = site.proven;
    return known == null ? site.walk() : known;
  }

  private @Nullable StackFrame walk() {
    if (walks >= WALKS_BEFORE_PROOF) {
      return CallTraces.callSite();
    }
    walks++;
    if (walks < WALKS_BEFORE_PROOF) {
      return CallTraces.callSite();
    }
    var path = CallTraces.pathToCallSite();
    var site = path.isEmpty() ? null : path.getLast();
    if (site != null && isCalledBy(path) && isOnlyFrom(site)) {
      site.toStackTraceElement(); // keeps it, before the frame is shared
      proven = site;
    }
    return site;
  }

  /** Returns whether the proof has succeeded, so that no more stacks are walked. */
  boolean isProven() {
    return proven != null;
  }

  /** Returns whether the last frame of a path has called {@code ask} or {@code tell} itself. */
  private static boolean isCalledBy(List<StackFrame> path) {
    if (path.size() < 2) {
      return false;
    }
    var called = path.get(path.size() - 2);
    return Ref.class.isAssignableFrom(called.getDeclaringClass())
        && isAskOrTell(called.getMethodName());
  }

  private static boolean isAskOrTell(String method) {
    return method.equals("ask") || method.equals("tell");
  }

  /** Returns whether lambdas of the class passed at a frame's position can be passed only there. */
  private static boolean isOnlyFrom(StackFrame site) {
    var type = site.getDeclaringClass();
    var file = "/" + type.getName().replace('.', '/') + ".class";
    try (var in = type.getResourceAsStream(file)) {
      return in != null
          && ClassFile.of().parse(in.readAllBytes()).methods().stream()
              .filter(
                  each ->
                      each.methodName().equalsString(site.getMethodName())
                          && each.methodType().equalsString(site.getDescriptor()))
              .flatMap(each -> each.findAttribute(Attributes.code()).stream())
              .anyMatch(code -> isOnlyFrom(code, site.getByteCodeIndex(), site.getLineNumber()));
    } catch (IOException | IllegalArgumentException e) {
      return false; // no class file, or none that this JDK can read
    }
  }

  private static boolean isOnlyFrom(CodeAttribute code, int position, int itsLine) {
    var targets = new ArrayList<Label>();
    Instruction before = null;
    var at = 0;
    var line = 0;
    var callsOnLine = 0;
    var isFound = false;
    for (var element : code) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case ExceptionCatch handler -> targets.add(handler.handler());
        case Instruction instruction -> {
          switch (instruction) {
            case BranchInstruction jump -> targets.add(jump.target());
            case LookupSwitchInstruction choice -> {
              targets.add(choice.defaultTarget());
              choice.cases().forEach(each -> targets.add(each.target()));
            }
            case TableSwitchInstruction choice -> {
              targets.add(choice.defaultTarget());
              choice.cases().forEach(each -> targets.add(each.target()));
            }
            case InvokeInstruction call when isAsk(call) -> {
              callsOnLine += line == itsLine ? 1 : 0;
              isFound |= at == position && line == itsLine && makesLambda(before);
            }
            default -> {}
          }
          at += instruction.sizeInBytes();
          before = instruction;
        }
        default -> {}
      }
    }
    return isFound
        && callsOnLine == 1
        && targets.stream().noneMatch(each -> code.labelToBci(each) == position);
  }

  private static boolean isAsk(InvokeInstruction call) {
    var parameters = call.typeSymbol().parameterList();
    return isAskOrTell(call.name().stringValue())
        && parameters.size() == 1
        && isLambda(parameters.getFirst());
  }

  private static boolean makesLambda(@Nullable Instruction instruction) {
    return instruction instanceof InvokeDynamicInstruction link
        && link.bootstrapMethod().owner().descriptorString().equals("L" + METAFACTORY + ";")
        && isLambda(link.typeSymbol().returnType());
  }

  private static boolean isLambda(ClassDesc type) {
    return type.equals(ASKED) || type.equals(TOLD);
  }
}
