import { build } from 'vite'
import { gzipSync } from 'node:zlib'
import path from 'node:path'
process.chdir('/tmp/wt/h')
const {minifySync}=await import('rolldown/utils').catch(()=>({}))
const r = await build({ build: { write: false }, logLevel: 'error' })
const out = (Array.isArray(r)?r[0]:r).output.filter(c=>c.type==='chunk')
const by = new Map(out.map(c=>[c.fileName,c]))
const find = n => out.find(c=> c.facadeModuleId && path.basename(c.facadeModuleId)===n)
const closure=(...cs)=>{const s=new Set();const go=c=>{if(!c||s.has(c))return;s.add(c);c.imports.forEach(i=>go(by.get(i)))};cs.forEach(go);return s}
const entry = out.find(c=>c.isEntry)
const routes={ '/auth':['AuthPage.tsx'], '404':['NotFound.tsx'], '/leads':['AppShell.tsx','LeadsPage.tsx'], '/settings':['AppShell.tsx','SettingsPage.tsx'],'/client-integrations':['AppShell.tsx','ClientIntegrationsPage.tsx'],'/admin':['AppShell.tsx','AdminPage.tsx'],'/dashboard':['AppShell.tsx','DashboardPage.tsx'] }
const extra=(process.argv[3]??'').split(',').filter(Boolean)
for (const [r,ms] of Object.entries(routes)) {
  const s = closure(entry,...[...extra,...ms].map(find)); let g=0; for(const c of s) g+=gzipSync(c.code).length
  console.log(r, (g/1000).toFixed(1),'KB gz', (g/1024).toFixed(1), 'KiB', s.size,'chunks')
  if(process.argv[2]===r){ const p=new Map(); for(const c of s) for(const [id,m] of Object.entries(c.modules)){ const k=/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? path.relative('.',id).split('/').slice(0,process.argv[4]?+process.argv[4]:2).join('/'); p.set(k,(p.get(k)??'')+(m.code??'')) }
   let rows=[...p].map(([k,code])=>{let min=code;try{min=minifySync('x.js',code,{mangle:{toplevel:true}}).code}catch(e){};return [k,code.length,min.length,gzipSync(min).length]}).sort((a,b)=>b[3]-a[3]); for(const x of rows.slice(0,45)) console.log('   ',x.join('  ')) }
}
