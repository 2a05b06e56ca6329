// The pictures beside the names of views: paths in a square of 16, drawn as lines.

import { svg } from './dom.js';

const PATHS = {
  now: 'M1.5 8h3l2-5 3 10 2-5h3',
  map: 'M2 2h5v5h-5zM9 2h5v5h-5zM2 9h5v5h-5zM9 9h5v5h-5z',
  panels: 'M2 2.5h12v11h-12zM4.5 10.5l2-3 2.5 2 2.5-4',
  nodes: 'M2 2.5h12v4.5h-12zM2 9h12v4.5h-12zM4.5 4.8h0M4.5 11.3h0',
  jobs: 'M2 5h12v8.5h-12zM5.5 5V2.8h5V5M2 9h12',
  traffic: 'M2 5.5h11l-3-3M14 10.5H3l3 3',
  groups: 'M6 4a2 2 0 1 0 4 0a2 2 0 1 0-4 0M1.5 11.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M10.5 11.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M7 6 4.5 9.7M9 6l2.5 3.7M5.5 11.5h5',
  objects: 'M8 1.8 13.5 5v6L8 14.2 2.5 11V5zM2.5 5 8 8.2 13.5 5M8 8.2v6',
  calls: 'M2 3.5h6M5 8h9M3 12.5h5',
  waits: 'M4 2h8M4 14h8M5 2c0 4 6 4 6 12M11 2c0 4-6 4-6 12',
  futures: 'M1.8 8a6.2 6.2 0 1 0 12.4 0a6.2 6.2 0 1 0-12.4 0M8 4.2V8l2.8 1.8',
  profile: 'M8 1.5c2.8 3.4 4.5 5.4 4.5 8a4.5 4.5 0 0 1-9 0c0-2 .9-3.3 2-4.5 0 1.7.7 2.3 1.4 2.3C8 5.8 7.6 3.6 8 1.5z',
  failures: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.6h0',
  events: 'M3 14V2.5h9l-2 3 2 3H3',
  logs: 'M2.5 3.5h11M2.5 6.5h8M2.5 9.5h11M2.5 12.5h6',
  stacks: 'M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3',
  settings: 'M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6M7.9 4.5a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0M4.9 11.5a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0',
  actions: 'M4.5 2.5 12.5 8l-8 5.5z',
  about: 'M1.8 8a6.2 6.2 0 1 0 12.4 0a6.2 6.2 0 1 0-12.4 0M8 7.5v3.5M8 4.9h0',
};

/** Makes the picture of a view. */
export const icon = id => svg('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d: PATHS[id] ?? '' }));
