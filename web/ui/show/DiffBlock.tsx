import clsx from 'clsx'

interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

export interface DiffBlockProps {
  /** Names the block for screen readers. */
  label: string
  lines: readonly DiffLine[]
  className?: string
}

const SIGNS = { same: ' ', removed: '−', added: '+' }
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' }

/** Gives each line its place: the numbers of lines of both texts up to it, which no other line has. */
function numberLines(lines: readonly DiffLine[]) {
  let [before, after] = [0, 0]
  return lines.map((line) => {
    if (line.kind !== 'added') before += 1
    if (line.kind !== 'removed') after += 1
    return { ...line, place: `${before}:${after}` }
  })
}

/** Shows the difference of two texts: each changed line has a sign, a colour and words for screen readers. */
export function DiffBlock({ label, lines, className }: DiffBlockProps) {
  return (
    <pre
      role="region"
      aria-label={label}
      tabIndex={0}
      className={clsx(
        'overflow-auto rounded-lg border border-line bg-sunken py-3 font-mono text-xs leading-5 -outline-offset-2',
        className,
      )}
    >
      {numberLines(lines).map(({ place, kind, text }) => (
        <div
          key={place}
          className={clsx(
            'px-3 break-words whitespace-pre-wrap',
            kind === 'added' && 'bg-success-soft text-success',
            kind === 'removed' && 'bg-failure-soft text-failure',
          )}
        >
          <span aria-hidden className="mr-2 select-none">
            {SIGNS[kind]}
          </span>
          {kind !== 'same' && <span className="sr-only">{WORDS[kind]}</span>}
          {text}
        </div>
      ))}
    </pre>
  )
}
