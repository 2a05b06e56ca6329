package org.troupe.classics.superoptimizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An instruction of a machine with two registers of eight bits and a carry. The machine is so small
 * that a sequence can be tested in all initial states.
 *
 * <p>A state is an int: bits 0 to 7 are register 0, bits 8 to 15 are register 1, bit 16 is the
 * carry X.
 */
final class MachineInstruction {

  static final int STATES = 1 << 17;

  private static final int BITS = 8;
  private static final int MASK = 0xff;
  private static final int X = 1 << 2 * BITS;
  private static final int REGISTERS = MASK | MASK << BITS;

  private static final List<MachineInstruction> ALL = all();

  // Not final: a sender sets its instructions anew for each call, and a receiver decodes a call
  // into the instructions of the previous one.
  private OperationCode operation;
  private byte to;
  private byte from;

  private MachineInstruction(OperationCode operation, int to, int from) {
    set(operation, to, from);
  }

  /** Creates an instruction to be set later. */
  MachineInstruction() {
    this(OperationCode.MOVE, 0, 0);
  }

  private void set(OperationCode operation, int to, int from) {
    this.operation = operation;
    this.to = (byte) to;
    this.from = (byte) from;
  }

  /** Makes this instruction equal to another one. */
  void set(MachineInstruction other) {
    set(other.operation, other.to, other.from);
  }

  /** Returns the number of different instructions. */
  static int count() {
    return ALL.size();
  }

  /** Returns an instruction by its number, from 0 on. */
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

  /** Returns the content of a register in a state. */
  static int register(int state, int which) {
    return state >> which * BITS & MASK;
  }

  /** Returns the state after this instruction. */
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

  /** Returns a state with a result; X is set if the result is negative or exceeds eight bits. */
  private int withCarry(int state, int value) {
    return with(state & REGISTERS, value & MASK) | ((value & ~MASK) == 0 ? 0 : X);
  }

  @Override
  public String toString() {
    var name = operation.name().toLowerCase(Locale.ROOT);
    return operation.isUnary() ? name + " d" + to : name + " d" + from + ",d" + to;
  }
}
