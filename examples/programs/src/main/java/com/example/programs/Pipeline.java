package com.example.programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.skeletons.Flow;
import org.troupe.skeletons.Skeleton;
import org.troupe.skeletons.Skeletons;

/**
 * A pipeline: frames of a zoom into the Mandelbrot set are drawn, then compressed, on whichever node
 * is free, and written in their order. While one frame is compressed, the next ones are drawn.
 *
 * <p>Arguments: a descriptor, or nothing for two JVMs on this machine.
 */
public final class Pipeline {

  private static final int FRAMES = 40;
  private static final int WIDTH = 320;
  private static final int MOST_STEPS = 255;

  private Pipeline() {}

  /** A drawn frame, a byte for each pixel. */
  public record Frame(int number, byte[] pixels) {}

  /** A compressed frame. */
  public record Packed(int number, byte[] bytes) {}

  static Frame draw(int number) {
    double scale = 3 * Math.pow(0.8, number);
    byte[] pixels = new byte[WIDTH * WIDTH];
    for (int i = 0; i < pixels.length; i++) {
      double re = -0.743643887 + scale * ((double) (i % WIDTH) / WIDTH - 0.5);
      double im = 0.131825904 + scale * ((double) (i / WIDTH) / WIDTH - 0.5);
      pixels[i] = (byte) steps(re, im);
    }
    return new Frame(number, pixels);
  }

  private static int steps(double re, double im) {
    double x = 0;
    double y = 0;
    int steps = 0;
    while (steps < MOST_STEPS && x * x + y * y < 4) {
      double next = x * x - y * y + re;
      y = 2 * x * y + im;
      x = next;
      steps++;
    }
    return steps;
  }

  static Packed pack(Frame frame) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try {
      deflater.setInput(frame.pixels());
      deflater.finish();
      byte[] bytes = new byte[frame.pixels().length + 1_000]; // room for a frame that cannot shrink
      int length = deflater.deflate(bytes);
      return new Packed(frame.number(), Arrays.copyOf(bytes, length));
    } finally {
      deflater.end();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of("frames"));
    try (Grid grid = arguments.length > 0 ? Grid.deploy(Path.of(arguments[0])) : Grid.local(2)) {
      Nodes nodes = grid.nodes().await(Nodes.all(), Duration.ofMinutes(5));
      long bytes = 0;
      for (Packed each : frames(nodes, FRAMES)) {
        Files.write(folder.resolve("frame-%02d.z".formatted(each.number())), each.bytes());
        bytes += each.bytes().length;
      }
      System.out.printf("%d frames of %d pixels in %d bytes%n", FRAMES, WIDTH * WIDTH, bytes);
    }
  }

  static List<Packed> frames(Nodes nodes, int count) {
    Skeleton<Integer, Packed> stages =
        Skeletons.step(Pipeline::draw).then(Skeletons.step(Pipeline::pack));
    try (Flow<Integer, Packed> flow = stages.on(nodes)) {
      return flow.all(IntStream.range(0, count).boxed().toList());
    }
  }
}
