package org.troupe.classics.fft;

import java.util.List;
import java.util.stream.DoubleStream;
import org.troupe.classics.Check;
import org.troupe.classics.Checksum;
import org.troupe.classics.Crew;
import org.troupe.classics.Kernel;
import org.troupe.classics.Version;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A fast Fourier transform: the signal is a matrix, of which members transform columns, then rows,
 * and in between, before and after everybody sends a block to everybody else.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), whose signal had 2^20 points.
 */
@Command(name = "fft", description = "Transforms a signal, with blocks from all to all (Manta).")
public final class Fft extends Kernel<Signal> {

  /** Of numbers that go through 40 additions at most, each rounded by 1e-16 of it. */
  private static final double ROUNDING = 1e-14;

  @Option(names = "--points", paramLabel = "N", description = "of the signal: a power of four")
  private Integer points;

  private int side;

  public static void main(String[] arguments) {
    main(new Fft(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    points = or(points, 1 << 12, 1 << 20, 1 << 24);
    side = (int) Math.sqrt(Math.max(points, 0));
    if (side * side != points || Integer.bitCount(side) != 1) {
      wrong.add(
          "--points %d: the signal is halved down to single points as rows and as columns of a"
                  .formatted(points)
              + " square; give a power of four, such as 65536 or 1048576");
    } else if (side % nodes != 0) {
      wrong.add(
          words(
              "--points %d: they are %,d rows, which %d nodes cannot share equally; take a power of two of nodes, at most %,d",
              points, side, nodes, side));
    }
  }

  /**
   * Two complex numbers: the signal, its transform, the wave, and those of all, joined in twice
   * their room.
   */
  @Override
  protected double bytesHere() {
    return 7.0 * 2 * Double.BYTES * points;
  }

  @Override
  protected String problem() {
    return words("%,d points", points);
  }

  @Override
  protected Version<Signal> sequential() {
    return new Version<>() {
      private final Part whole = new Part(side, 0, side);
      private final Signal[] signal = whole.empty();
      private final Signal[] transformed = whole.empty();

      @Override
      public void prepare() {
        whole.cut(Signal.wave(points, 0, points), signal);
      }

      @Override
      public void run() {
        whole.transformColumns(signal);
        whole.transformRows(signal, transformed);
      }

      @Override
      public Signal result() {
        return whole.joined(transformed);
      }
    };
  }

  @Override
  protected Version<Signal> parallel(Crew crew) {
    return Version.by(
        Group.of(Groups.on(crew.nodes()).spmd(Transformer.class, side)),
        Transformer::prepare,
        Transformer::transform,
        Transformer::transformed,
        parts -> {
          var all = parts.toList();
          return new Signal(
              all.stream().flatMapToDouble(each -> DoubleStream.of(each.re())).toArray(),
              all.stream().flatMapToDouble(each -> DoubleStream.of(each.im())).toArray());
        });
  }

  @Override
  protected List<Check> check(Signal expected, Signal found) {
    return List.of(
        Check.equal("the transform's real parts", expected.re(), found.re()),
        Check.equal("its imaginary parts", expected.im(), found.im()),
        Check.atMost(
            "the difference from the transform of a fading wave, which is known",
            ROUNDING,
            found.errorAsSpectrum()));
  }

  @Override
  protected String checksum(Signal found) {
    return new Checksum().add(found.re()).add(found.im()).toString();
  }
}
