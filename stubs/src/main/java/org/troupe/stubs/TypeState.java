package org.troupe.stubs;

import java.util.Arrays;

/**
 * The origin of the object in each local variable and stack slot, at one instruction of a method.
 */
final class TypeState {

  /** Of unknown origin: it may be a stub. Also the value of slots that hold no object. */
  static final byte OTHER = 0;

  /** The object around {@code this}, of an inner class. */
  static final byte OUTER = 1;

  /** {@code this}, created in the method, or {@code null}: not a stub. */
  static final byte OWN = 2;

  private final byte[] locals;
  private final byte[] stack;
  private int depth;

  TypeState(int maxLocals, int maxStack) {
    this(new byte[maxLocals], new byte[maxStack], 0);
  }

  private TypeState(byte[] locals, byte[] stack, int depth) {
    this.locals = locals;
    this.stack = stack;
    this.depth = depth;
  }

  TypeState copy() {
    return new TypeState(locals.clone(), stack.clone(), depth);
  }

  /** Returns the state at the start of an exception handler. */
  TypeState atHandler() {
    var handler = new TypeState(locals.clone(), new byte[stack.length], 0);
    handler.push(OTHER);
    return handler;
  }

  /** Merges another path's state into this one; returns whether this one changed. */
  boolean meet(TypeState other) {
    if (depth != other.depth) {
      throw new IllegalArgumentException("two ways to one place with stacks of different depth");
    }
    return meet(locals, other.locals) | meet(stack, other.stack);
  }

  private static boolean meet(byte[] mine, byte[] others) {
    boolean changed = false;
    for (int i = 0; i < mine.length; i++) {
      if (others[i] < mine[i]) {
        mine[i] = others[i];
        changed = true;
      }
    }
    return changed;
  }

  byte local(int slot) {
    return locals[slot];
  }

  void setLocal(int slot, byte value) {
    locals[slot] = value;
  }

  void push(byte value) {
    stack[depth++] = value;
  }

  void pushOther(int slots) {
    for (int i = 0; i < slots; i++) {
      push(OTHER);
    }
  }

  byte pop() {
    byte value = stack[--depth];
    stack[depth] = OTHER; // unused slots are equal in all states
    return value;
  }

  void pop(int slots) {
    for (int i = 0; i < slots; i++) {
      pop();
    }
  }

  /** Returns the value {@code slots} below the top; 0 is the top. */
  byte peek(int slots) {
    return stack[depth - 1 - slots];
  }

  /** Inserts a copy of the top {@code count} slots below {@code skip} more. */
  void duplicate(int count, int skip) {
    byte[] top = Arrays.copyOfRange(stack, depth - count, depth);
    System.arraycopy(stack, depth - count - skip, stack, depth - skip, count + skip);
    System.arraycopy(top, 0, stack, depth - count - skip, count);
    depth += count;
  }

  void swap() {
    byte a = pop();
    byte b = pop();
    push(a);
    push(b);
  }
}
