import { useState } from 'react'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { VERIFICATION_SAMPLES } from './verification-samples.ts'

export function VerificationSamples() {
  const [chosen, setChosen] = useState('node')
  return (
    <section aria-label="Verify the signature" className="min-w-0">
      <h3 className="text-sm font-medium">Verify the signature</h3>
      <p className="mt-0.5 text-xs text-muted">
        Standard Webhooks, with the standard library of each language. Each reads the secret from the
        environment variable <code className="font-mono">WEBHOOK_SECRET</code>.
      </p>
      <Tabs
        label="How to verify the signature"
        value={chosen}
        onValueChange={setChosen}
        tabs={VERIFICATION_SAMPLES.map(({ id, label }) => ({ value: id, label }))}
      >
        {VERIFICATION_SAMPLES.map(({ id, label, code }) => (
          <TabPanel key={id} value={id}>
            <CodeBlock
              label={`${label} verification`}
              code={code}
              wrap={false}
              className="lg:[&_pre]:max-h-120"
            />
          </TabPanel>
        ))}
      </Tabs>
    </section>
  )
}
