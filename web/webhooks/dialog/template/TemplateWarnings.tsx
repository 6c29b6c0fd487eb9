import { TriangleAlert } from 'lucide-react'
import { Button } from '#web/ui/action/Button.tsx'
import { findTemplateFaults } from './find-template-faults.ts'

export interface TemplateWarningsProps {
  template: string
  onReplace: (template: string) => void
}

/** Lists the warnings about the current template, each sentence once. */
export function TemplateWarnings({ template, onReplace }: TemplateWarningsProps) {
  const warnings = findTemplateFaults(template).filter(({ severity }) => severity === 'warning')
  const once = new Map(warnings.map((fault) => [fault.message, fault]))
  return [...once.values()].map(({ message, replacement }) => (
    <div
      key={message}
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-waiting-soft px-3 py-2 text-xs text-ink"
    >
      <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-waiting" />
      <p className="min-w-0 flex-1 basis-40 break-words">{message}</p>
      {replacement !== undefined && (
        <Button size="sm" onClick={() => onReplace(mendAll(template, message, replacement))}>
          Replace
        </Button>
      )}
    </div>
  ))
}

/** Corrects every place of the fault, last first, so that the earlier offsets stay valid. */
function mendAll(template: string, message: string, replacement: string): string {
  return findTemplateFaults(template)
    .filter((fault) => fault.message === message)
    .toReversed()
    .reduce((text, { from, to }) => text.slice(0, from) + replacement + text.slice(to), template)
}
