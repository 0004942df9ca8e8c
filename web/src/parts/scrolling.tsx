/** A table on a narrow screen scrolls by itself, not with its page. While there is more than is seen, the keyboard reaches it. */
import { Box } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

export function Scrolling({ name, children }: { name: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const is_cut = useIsCut(box);
  const reached = is_cut ? { tabIndex: 0, role: 'region', 'aria-label': name } : {};
  return (
    <Box ref={box} style={{ overflowX: 'auto', position: 'relative' }} {...reached}>
      {children}
    </Box>
  );
}

function useIsCut(box: React.RefObject<HTMLElement | null>): boolean {
  const [is_cut, setCut] = useState(false);
  useEffect(() => {
    const outer = box.current;
    if (!outer) return;
    const look = () => setCut(outer.scrollWidth > outer.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(outer);
    for (const child of outer.children) observer.observe(child);
    return () => observer.disconnect();
  }, [box]);
  return is_cut;
}
