// What a shell of the JDK begins with, so that active objects can be tried by hand; examples/README.md has the command.
// A class that is typed exists in the shell's JVM only, so its objects run on nodes of that JVM, such as LocalNodes.start(2).
// Nodes in JVMs of their own, such as those of Grid.local(2), run objects of classes on the shell's class path.

import java.time.Duration;
import org.troupe.activeobjects.*;
import org.troupe.deployment.*;
import org.troupe.futures.*;
import org.troupe.groups.*;
import org.troupe.skeletons.Flow;
import org.troupe.skeletons.Skeletons;

// The package that the shell puts typed classes into, so that their values may travel between nodes.
System.setProperty("troupe.serialization.allow", "REPL.**");
