package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.CodeSources;
import org.troupe.activeobjects.internal.object.BodyEnd;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.ServiceContext;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.RemoteRequest;

/**
 * What a node does for others: itself an active object, the first of every node. Its methods are
 * the protocol between nodes, above frames.
 */
public class NodeService implements MiddlewareObject {

  private final LocalNode node;

  public NodeService(LocalNode node) {
    this.node = node;
  }

  /** The grid that the current request came from: a launcher takes part in several. */
  private GridMembership grid() {
    var peer = from();
    return node.memberships()
        .of(peer.access())
        .orElseThrow(
            () -> new IllegalStateException("this node has left the grid of " + peer.id()));
  }

  /** The node that the current request came from. */
  private static Peer from() {
    return ((RemoteRequest) ServiceContext.current().request).peer();
  }

  // For every node

  /** Makes an active object; the answer is its stub. */
  @Immediate
  public Object create(String type, Options options, Object[] arguments) throws Exception {
    try {
      return node.objects()
          .factory()
          .create(node.classes().find(type, from().classes()), options, arguments)
          .stub();
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  /** Makes an object, which is a copy already, active; the answer is its stub. */
  @Immediate
  public Object adopt(Object object, Options options) throws UnsuitableClassException {
    return node.objects().factory().adopt(object, options).stub();
  }

  /** Finds a registered object; the answer is its stub. */
  @Immediate
  public Object lookup(String name, String type) throws IllegalArgumentException {
    return node.objects().names().lookup(name, node.classes().find(type, from().classes())).stub();
  }

  /** Registers an object, given by its stub. */
  @Immediate
  public boolean register(String name, Object stub) {
    node.objects().names().register(name, Reference.behind(stub));
    return true;
  }

  /** Completes when an object of this node has ended. */
  @Immediate
  public CompletableFuture<Void> whenEnded(long number) {
    var body = node.objects().body(number);
    return body == null
        ? CompletableFuture.completedFuture(null)
        : new BodyEnd(body).asCompletableFuture();
  }

  /** How many one-way calls of the asking node have been served here. */
  @Immediate
  public long served() {
    return from().incoming().oneWayServed();
  }

  /** Where a class comes from that this node knows; {@code null} if it does not. */
  @Immediate
  public CodeSources.Source sourceOf(String className) {
    return node.classes().sourceOf(className);
  }

  /** A part of a code source's archive; {@code null} if this node does not have it. */
  @Immediate
  public byte[] archivePart(String hash, int offset) throws IOException {
    return node.classes().archivePart(hash, offset);
  }

  /** How this node is doing. */
  @Immediate
  public NodeReport report() {
    return SelfReport.of(node.objects().bodies(), grid().trouble());
  }

  /** What its threads do. */
  @Immediate
  public String stack() throws IOException {
    return SelfReport.stack(node.objects().bodies());
  }

  // For the coordinator

  /** Whether a code source is of the program that was deployed; {@code null} if it is not. */
  @Immediate
  public ClassAccess.Announced announced(String hash) {
    return node.classes().announced(hash);
  }

  /** A node joins; the answer is the grid as it is then. */
  @Immediate
  public MembershipView.View join(NodeDescription member) {
    return grid().joined(member);
  }

  /** A node leaves in good order. */
  public void leave(NodeId member) {
    grid().left(member);
  }

  /** A node wants to leave in good order. */
  public void askToLeave(NodeId member, String reason) {
    grid().askedToLeave(member, reason);
  }

  /** A member cannot reach another; the answer is whether that one still is a member. */
  public boolean suspect(NodeId witness, NodeId suspect, String evidence) {
    return grid().suspected(witness, suspect, evidence);
  }

  // For members

  /** The grid has changed; called in the order of the changes. */
  public void changed(List<MembershipView.Change> changes) {
    grid().changed(changes);
  }

  /** The node is to end; it leaves when it has noted this. */
  public void end(String reason) {
    grid().toEnd(reason);
  }
}
