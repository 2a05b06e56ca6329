package org.troupe.benchmarks.bare;

import java.io.IOException;
import java.util.Locale;

/** The kinds of bare links. */
public enum BareDriver {
  /** A {@code SocketChannel} that blocks, over loopback. */
  TCP {
    @Override
    public BareListener listen() throws IOException {
      return BareChannelLink.listen();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return BareChannelLink.connect(address);
    }
  },

  /** A blocking {@code SocketChannel} over a Unix domain socket. */
  UDS {
    @Override
    public BareListener listen() throws IOException {
      return BareChannelLink.listenUnix();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return BareChannelLink.connectUnix(address);
    }
  },

  /**
   * Two rings in a mapped file, which wait by the system's futex. Needs Linux and native access.
   */
  SHM {
    @Override
    public BareListener listen() throws IOException {
      return SharedRingLink.listen();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return SharedRingLink.connect(address);
    }

    @Override
    public boolean isAvailable() {
      return SharedFutex.isAvailable();
    }
  },

  /** An {@code SSLEngine} for TLS 1.3 over {@link #TCP}. */
  TLS {
    @Override
    public BareListener listen() throws IOException {
      return BareTlsLink.listen();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return BareTlsLink.connect(address);
    }
  };

  /** Returns the part of row names that names this driver. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Opens a listener for one link. */
  public abstract BareListener listen() throws IOException;

  /** Connects to a listener in another process on this machine. */
  public abstract BareLink connect(String address) throws IOException;

  /** Returns whether the driver works on this machine. */
  public boolean isAvailable() {
    return true;
  }
}
