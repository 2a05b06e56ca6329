package org.troupe.cli;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.deployment.Grid;

/** Programs of users, good and bad, for the command to run. */
final class Programs {

  /** The last arguments of {@link Record}; read by the test that ran it on its own thread. */
  static String[] arguments;

  private Programs() {}

  static final class Record {
    public static void main(String[] arguments) {
      Programs.arguments = arguments;
    }
  }

  static final class WithoutArguments {
    static void main() {
      arguments = new String[] {"none"};
    }
  }

  static final class OfAnInstance extends Inherited {}

  static class Inherited {
    void main(String[] arguments) {
      Programs.arguments = new String[] {getClass().getSimpleName(), arguments[0]};
    }
  }

  static final class WithoutMain {
    private static void main(String[] arguments) {}
  }

  static final class Throwing {
    public static void main(String[] arguments) {
      try {
        divide(1, arguments.length);
      } catch (ArithmeticException e) {
        throw new IllegalStateException("the parts do not fit", e);
      }
    }

    private static int divide(int whole, int parts) {
      return whole / parts;
    }
  }

  static final class NotInitialised {
    static {
      if (true) {
        throw new IllegalStateException("no library");
      }
    }

    public static void main(String[] arguments) {}
  }

  static final class Unsuitable {
    public static void main(String[] arguments) {
      ActiveObjects.here().create(String.class);
    }
  }

  static final class WithoutNodes {
    public static void main(String[] arguments) {
      Grid.local(0).close();
    }
  }

  static final class Keeping {
    public static void main(String[] arguments) {
      ActiveObjects.here()
          .with(Options.STANDARD.withKeep(Keep.state(Store.directory(Path.of(arguments[0])))))
          .create(Nested.Outer.class);
    }
  }

  static final class Nested {
    public static class Outer {
      public int open() {
        ActiveObjects.here().create(Outer.class, "too many arguments");
        return 0;
      }
    }

    public static void main(String[] arguments) {
      ActiveObjects.here().create(Outer.class).open();
    }
  }

  static final class Encoding {
    public static class Broken implements Serializable {
      private void writeObject(ObjectOutputStream out) {
        throw new IllegalStateException("not written");
      }
    }

    public static class Taker {
      public int take(Broken broken) {
        return 0;
      }
    }

    public static void main(String[] arguments) {
      ActiveObjects.here().create(Taker.class).take(new Broken());
    }
  }

  static final class Closing {
    public static void main(String[] arguments) throws Exception {
      AutoCloseable resource =
          () -> {
            throw new IOException("not closed");
          };
      try (resource) {
        Grid.local(0).close();
      }
    }
  }

  static final class Deploying {
    public static void main(String[] arguments) {
      Grid.deploy(Path.of(arguments[0])).close();
    }
  }

  static final class FailingGrid {
    public static void main(String[] arguments) {
      try (var _ = Grid.local(1)) {
        throw new IllegalStateException("the parts do not fit");
      }
    }
  }

  /** Prints its arguments and its input, and ends as its input tells it. */
  static final class Echo {
    public static void main(String[] arguments) throws Exception {
      System.out.println(Arrays.toString(arguments));
      System.out.print(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
      System.exit(42);
    }
  }

  /** Ends only by a signal. */
  static final class Waiting {
    public static void main(String[] arguments) throws InterruptedException {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("ended")));
      System.out.println("waiting");
      new CountDownLatch(1).await();
    }
  }

  /** Continues for a while after main has returned. */
  static final class Lingering {
    public static void main(String[] arguments) {
      Thread main = Thread.currentThread();
      Thread.ofPlatform().start(() -> lastWords(main));
    }

    private static void lastWords(Thread main) {
      try {
        main.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      System.out.println("last words");
    }
  }
}
