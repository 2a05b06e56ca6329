package org.troupe.classics.superoptimizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An instruction of a machine with two registers of eight bits and a carry: so small that all
 * states in which a sequence can begin can be tried.
 *
 * <p>A state is an int: the lowest bits are register 0, the next ones register 1, then X.
 */
final class MachineInstruction {

  static final int STATES = 1 << 17;

  private static final int BITS = 8;
  private static final int MASK = 0xff;
  private static final int X = 1 << 2 * BITS;
  private static final int REGISTERS = MASK | MASK << BITS;

  private static final List<MachineInstruction> ALL = all();

  // Not final: those that travel become others for the next call, and are read into those of the
  // last
  private OperationCode operation;
  private byte to;
  private byte from;

  private MachineInstruction(OperationCode operation, int to, int from) {
    become(operation, to, from);
  }

  /** Makes one that will become others. */
  MachineInstruction() {
    this(OperationCode.MOVE, 0, 0);
  }

  private void become(OperationCode operation, int to, int from) {
    this.operation = operation;
    this.to = (byte) to;
    this.from = (byte) from;
  }

  /** Becomes equal to another one. */
  void become(MachineInstruction other) {
    become(other.operation, other.to, other.from);
  }

  /** Returns how many different ones there are. */
  static int count() {
    return ALL.size();
  }

  /** Returns one of the different ones, from 0 on. */
  static MachineInstruction number(int number) {
    return ALL.get(number);
  }

  private static List<MachineInstruction> all() {
    List<MachineInstruction> all = new ArrayList<>();
    for (var operation : OperationCode.values()) {
      for (var to = 0; to < 2; to++) {
        for (var from = 0; from < 2; from++) {
          if (operation.isUnary() ? from == to : operation != OperationCode.MOVE || from != to) {
            all.add(new MachineInstruction(operation, to, from));
          }
        }
      }
    }
    return List.copyOf(all);
  }

  /** Returns what a register holds in a state. */
  static int register(int state, int which) {
    return state >> which * BITS & MASK;
  }

  /** Returns the state that follows one. */
  int after(int state) {
    var old = register(state, to);
    var other = register(state, from);
    var carry = state >> 2 * BITS;
    return switch (operation) {
      case MOVE -> with(state, other);
      case ADD -> withCarry(state, old + other);
      case ADDX -> withCarry(state, old + other + carry);
      case SUB -> withCarry(state, old - other);
      case SUBX -> withCarry(state, old - other - carry);
      case AND -> with(state, old & other);
      case OR -> with(state, old | other);
      case EOR -> with(state, old ^ other);
      case NEG -> withCarry(state, -old);
      case NEGX -> withCarry(state, -old - carry);
      case NOT -> with(state, ~old & MASK);
    };
  }

  private int with(int state, int value) {
    return state & ~(MASK << to * BITS) | value << to * BITS;
  }

  /** What is beyond eight bits, or below zero, sets X. */
  private int withCarry(int state, int value) {
    return with(state & REGISTERS, value & MASK) | ((value & ~MASK) == 0 ? 0 : X);
  }

  @Override
  public String toString() {
    var name = operation.name().toLowerCase(Locale.ROOT);
    return operation.isUnary() ? name + " d" + to : name + " d" + from + ",d" + to;
  }
}
