/** On every page of the sandbox: colour and words. */
import { Link } from '@tanstack/react-router';
import { useCommonWords } from '../common-words.ts';
import classes from './shell.module.css';
import { useTwin } from './twin.ts';

export function SandboxBar({ height }: { height: number }) {
  const { sandbox } = useCommonWords();
  const twin = useTwin();
  return (
    <div className={classes.bar} style={{ height }}>
      <span className={classes.barName}>{sandbox.bar}</span>
      <span className={classes.barText}>{sandbox.bar_text}</span>
      {twin !== null && (
        <Link to={twin as never} className={classes.barLink}>
          {sandbox.to_live}
        </Link>
      )}
    </div>
  );
}
