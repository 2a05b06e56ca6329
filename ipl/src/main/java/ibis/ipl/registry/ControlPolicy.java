package ibis.ipl.registry;

import ibis.ipl.Credentials;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which instances may join a pool. Called by several threads concurrently. */
public interface ControlPolicy {

  /**
   * Accepts a member by returning, or refuses it by an exception, whose message it receives.
   *
   * @param credentials the credentials of the member; may be {@code null}
   */
  void onJoin(@Nullable Credentials credentials);

  /**
   * Returns the classes that credentials may contain, besides strings, boxes and arrays of
   * primitives: no other class is even looked for.
   *
   * <p>By default {@code null}: all classes that members may send each other.
   */
  default @Nullable Set<Class<?>> credentialTypes() {
    return null;
  }
}
