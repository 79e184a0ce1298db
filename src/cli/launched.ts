/** Removes what the launcher (bin/retain) set for this process alone: the programs that it starts are not Retain's. */
for (const name of Object.keys(process.env))
  if (name.startsWith("BUN_JSC_thresholdForJIT")) delete process.env[name];
