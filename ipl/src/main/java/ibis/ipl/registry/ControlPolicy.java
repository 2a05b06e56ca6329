package ibis.ipl.registry;

import ibis.ipl.Credentials;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides who may join a pool. Called on several threads at once. */
public interface ControlPolicy {

  /**
   * Accepts a member by returning, or refuses it by throwing; it is told the message.
   *
   * @param credentials what the member gave the factory; may be {@code null}
   */
  void onJoin(@Nullable Credentials credentials);

  /**
   * Returns the classes that credentials may be made of, besides strings, boxes and arrays of
   * primitives: no other class is even looked for.
   *
   * <p>By default {@code null}: all classes that members may send each other.
   */
  default @Nullable Set<Class<?>> credentialTypes() {
    return null;
  }
}
