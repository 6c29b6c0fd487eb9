export interface MoneyFiguresProps {
  figures: readonly { label: string; value: string; detail?: string }[]
}

/** Figures in a row, each with a line below. */
export function MoneyFigures({ figures }: MoneyFiguresProps) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-3 sm:gap-4">
      {figures.map(({ label, value, detail = '' }) => (
        <div key={label} className="min-w-0 rounded-lg border border-line bg-surface p-3 sm:p-4">
          <dt className="text-xs font-medium text-muted">{label}</dt>
          <dd className="mt-1 text-lg font-semibold tracking-tight break-words tabular">{value}</dd>
          {detail !== '' && <dd className="mt-1 text-xs text-muted">{detail}</dd>}
        </div>
      ))}
    </dl>
  )
}
