package org.troupe.activeobjects.internal.collective;

import java.util.List;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.Recipients;
import org.troupe.activeobjects.internal.object.NodeObjects;

/**
 * The recipients of many calls, divided by their nodes once.
 *
 * @param node the node that calls them
 */
record DividedRecipients(NodeObjects node, List<? extends Ref<?>> objects, List<NodeShare> shares)
    implements Recipients {}
