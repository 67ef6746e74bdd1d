Register-ArgumentCompleter -Native -CommandName @programs@ -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | ForEach-Object { "$_" })
    # The word that is completed is the last element, unless it is empty.
    $before = if ($wordToComplete) { $words[0..($words.Count - 2)] } else { $words }
    $before = @($before)
    $command = if ($before.Count -gt 1) { $before[1] } else { '' }
    $previous = $before[-1]
    $help = @{
@help@
    }
    $options = @{
@options@
    }
    $values = @{
@values@
    }
    $operands = @{
@operands@
    }
    $head = ''
    $last = $wordToComplete
    $found = if ($before -contains '--') {
        @()
    } elseif ($before.Count -le 1) {
        @($help.Keys | Where-Object { $_ -notmatch ' ' } | Sort-Object)
    } elseif ($values.ContainsKey("$command $previous")) {
        $values["$command $previous"]
    } elseif ($wordToComplete -match '^(--[a-z-]+)=(.*)$' -and $values.ContainsKey("$command $($Matches[1])")) {
        $head = $Matches[1] + '='
        $last = $Matches[2]
        $values["$command $($Matches[1])"]
    } elseif ($wordToComplete.StartsWith('-')) {
        $options[$command]
    } else {
        $operands[$command]
    }
    if ($last -match '^(.*,)([^,]*)$') {
        $head += $Matches[1]
        $last = $Matches[2]
    }
    @($found) | Where-Object { $_ -and $_.StartsWith($last) } | ForEach-Object {
        $tip = @($help["$command $_"], $help[$_], $_) | Where-Object { $_ } | Select-Object -First 1
        [System.Management.Automation.CompletionResult]::new("$head$_", $_, 'ParameterValue', $tip)
    }
}
