import { useState } from 'react'
import type { PostingSpec } from '#core/contract/leads/posting-spec.ts'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { writeBatch, writeCurl, writeForm, writeJson } from './write-examples.ts'

const EXAMPLES = [
  { value: 'curl', label: 'cURL', write: writeCurl },
  { value: 'json', label: 'JSON', write: writeJson },
  { value: 'form', label: 'Form', write: writeForm },
  { value: 'batch', label: 'Batch', write: writeBatch },
] as const

/** Examples that are ready to copy except for the key. */
export function SpecExamples({ spec }: { spec: PostingSpec }) {
  const [shown, setShown] = useState<(typeof EXAMPLES)[number]['value']>('curl')
  return (
    <Tabs label="Examples" value={shown} onValueChange={setShown} tabs={EXAMPLES}>
      {EXAMPLES.map(({ value, label, write }) => (
        <TabPanel key={value} value={value}>
          <CodeBlock label={label} code={write(spec)} />
        </TabPanel>
      ))}
    </Tabs>
  )
}
