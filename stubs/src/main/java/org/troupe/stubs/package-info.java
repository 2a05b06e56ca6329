/** Classes whose every call goes to one handler. */
@NullMarked
package org.troupe.stubs;

import org.jspecify.annotations.NullMarked;
