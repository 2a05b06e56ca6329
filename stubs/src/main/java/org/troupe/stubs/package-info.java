/** Classes whose every call goes to one handler. */
package org.troupe.stubs;
