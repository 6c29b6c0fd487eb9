const MEANINGS: readonly (readonly [label: string, meaning: string])[] = [
  ['Leads received', 'Assigned to you, by the day on which they came in; test leads are left out.'],
  ['Spend', 'What these leads cost, before anything came back.'],
  ['Came back', 'The price of returned leads, and of leads that came late because of us.'],
  ['Average price', 'Spend ÷ leads received.'],
  ['Return rate', 'Approved returns ÷ leads received.'],
  ['Cost per sale', 'Spend less what came back ÷ leads at “Sold”.'],
  ['Sold rate', 'Leads at “Sold” ÷ leads received.'],
  ['Revenue', 'The last amount that your CRM reported with “sold”, of leads at “Sold”.'],
  ['Return on spend', 'Revenue ÷ spend less what came back.'],
  ['Contact rate', 'Contacted or further, or not interested ÷ leads received.'],
  ['Delivery success', 'Delivered ÷ all deliveries of these leads, waiting ones included.'],
]

/** Explains the figures, folded. */
export function FigureMeanings() {
  return (
    <details className="text-xs text-muted">
      <summary className="w-fit cursor-pointer rounded-sm py-1 hover:text-ink">
        What these figures mean
      </summary>
      <dl className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {MEANINGS.map(([label, meaning]) => (
          <div key={label}>
            <dt className="inline font-medium">{label}: </dt>
            <dd className="inline">{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
