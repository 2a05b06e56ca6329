package org.troupe.classics.fft;

import java.util.List;
import java.util.stream.DoubleStream;
import org.troupe.classics.KernelProgram;
import org.troupe.classics.NumberChecksum;
import org.troupe.classics.ProgramNodes;
import org.troupe.classics.ProgramVersion;
import org.troupe.classics.ResultCheck;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A fast Fourier transform: the signal is a matrix, of which members transform the columns and then
 * the rows. Before, between and after these, each member sends a block to each other member.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), whose signal had 2^20 points.
 */
@Command(
    name = "fft",
    description = "Transforms a signal, with an all-to-all exchange of blocks (Manta).")
public final class Fft extends KernelProgram<ComplexSignal> {

  /**
   * The tolerance for numbers that result from at most 40 additions, each with a relative rounding
   * error of 1e-16.
   */
  private static final double ROUNDING = 1e-14;

  @Option(names = "--points", paramLabel = "N", description = "of the signal: a power of four")
  private Integer points;

  private int side;

  public static void main(String[] arguments) {
    main(new Fft(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    points = orPreset(points, 1 << 12, 1 << 20, 1 << 24);
    side = (int) Math.sqrt(Math.max(points, 0));
    if (side * side != points || Integer.bitCount(side) != 1) {
      wrong.add(
          "--points %d: the rows and columns of the signal's square must be powers of two;"
                  .formatted(points)
              + " give a power of four, such as 65536 or 1048576");
    } else if (side % nodes != 0) {
      wrong.add(
          text(
              "--points %d: its %,d rows cannot be divided equally among %d nodes; use a power of two of nodes, at most %,d",
              points, side, nodes, side));
    }
  }

  /**
   * Counts the complex numbers of the signal, of its transform, of the wave, and of the members'
   * parts, which are joined in buffers of up to twice their size.
   */
  @Override
  protected double launcherBytes() {
    return 7.0 * 2 * Double.BYTES * points;
  }

  @Override
  protected String problem() {
    return text("%,d points", points);
  }

  @Override
  protected ProgramVersion<ComplexSignal> sequential() {
    return new ProgramVersion<>() {
      private final SignalPart whole = new SignalPart(side, 0, side);
      private final ComplexSignal[] signal = whole.empty();
      private final ComplexSignal[] transformed = whole.empty();

      @Override
      public void prepare() {
        whole.cut(ComplexSignal.wave(points, 0, points), signal);
      }

      @Override
      public void run() {
        whole.transformColumns(signal);
        whole.transformRows(signal, transformed);
      }

      @Override
      public ComplexSignal result() {
        return whole.join(transformed);
      }
    };
  }

  @Override
  protected ProgramVersion<ComplexSignal> parallel(ProgramNodes nodes) {
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(FftMember.class, side)),
        FftMember::prepare,
        FftMember::transform,
        FftMember::transformed,
        parts -> {
          var all = parts.toList();
          return new ComplexSignal(
              all.stream().flatMapToDouble(each -> DoubleStream.of(each.re())).toArray(),
              all.stream().flatMapToDouble(each -> DoubleStream.of(each.im())).toArray());
        });
  }

  @Override
  protected List<ResultCheck> check(ComplexSignal expected, ComplexSignal found) {
    return List.of(
        ResultCheck.equal("the transform's real parts", expected.re(), found.re()),
        ResultCheck.equal("its imaginary parts", expected.im(), found.im()),
        ResultCheck.atMost(
            "the difference from the known transform of a damped wave",
            ROUNDING,
            found.errorAsSpectrum()));
  }

  @Override
  protected String checksum(ComplexSignal found) {
    return new NumberChecksum().add(found.re()).add(found.im()).toString();
  }
}
