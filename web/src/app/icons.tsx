/** Our own lines on a square of 24. An icon stands beside a word, or its button has a name: readers pass it over. */

const paths = {
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  invoice: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  seal: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2.2 2.2L15.5 10',
  event: 'M13 3L5 13.5h6L10 21l9-11.5h-6z',
  webhook:
    'M9 9a4 4 0 1 1 5.5 3.7M8 12l-3 5m2 .5h9m1-1l-3.5-6M5 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  requests: 'M4 7h13m0 0l-3-3m3 3l-3 3M20 17H7m0 0l3-3m-3 3l3 3',
  key: 'M14.5 13.5a4.5 4.5 0 1 0-4-2.5L4 17.5V20h3v-2h2v-2h1.5l1.5-1.7a4.5 4.5 0 0 0 2.5-.8zM16 8.5h.01',
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  agent: 'M6 8h12v10H6zM12 8V4M9.5 12.5v1M14.5 12.5v1M3 12v3M21 12v3',
  flask: 'M10 3h4M11 3v6l-5.5 9.5A1.7 1.7 0 0 0 7 21h10a1.7 1.7 0 0 0 1.5-2.5L13 9V3M8 15h8',
  company: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 11a3 3 0 1 0-1-5.8M17 14.3c2.4.5 4 2.6 4 5.7',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  contacts:
    'M5 4h14v16H5zM5 8H3M5 12H3M5 16H3M12 11.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8.5 16.5c.3-2 1.6-3 3.5-3s3.2 1 3.5 3',
  truck:
    'M3 6h11v10H3zM14 9h4l3 3.5V16h-7M7 19a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM17 19a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  audit: 'M5 4h14v16H5zM9 9l1.5 1.5L13 8M9 15l1.5 1.5L13 14M15.5 9.5h.5M15.5 15.5h.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.6-4 3.5-6 7.5-6s6.9 2 7.5 6',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M19 12H5m0 0l6-6m-6 6l6 6',
  next: 'M5 12h14m0 0l-6-6m6 6l-6 6',
  down: 'M6 9l6 6 6-6',
  warning: 'M12 4L2.5 20h19zM12 10v4.5M12 17.5h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  refresh: 'M19 5v5h-5M5 19v-5h5M6.5 9a6.5 6.5 0 0 1 11-2.5L19 10M5 14l1.5 3.5a6.5 6.5 0 0 0 11-2.5',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  download: 'M12 4v11m0 0l-4-4m4 4l4-4M5 20h14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  money: 'M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 12h.01M18 12h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  send: 'M21 3L10 14M21 3l-7 18-4-7-7-4z',
  exit: 'M14 4h5v16h-5M4 12h11m0 0l-4-4m4 4l-4 4',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
