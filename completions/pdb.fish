# Completion of pdb-gen, pdb-query and pdb-serve for fish. Puzzles and boards are taken from pdb-gen --list.

function __pdb_puzzles # name and title of each, and definition files
    # a line is: name, number of states, title; without a number where capitals stand for a size
    pdb-gen --list 2>/dev/null | string replace -r '^([^ A-Z]+)[A-Z]\S* +(.*)' '$1\t$2' | string replace -r '^([^\s]+) +(?:< *)?\S+ +(.*)' '$1\t$2'
    __fish_complete_suffix .yaml | string match -r '^[^\t]*(?:/|\.ya?ml|\.tws|\.def)(?:\t.*)?$' # it lists all files, those first
end

function __pdb_typed # the puzzle that stands on the command line of pdb-query, if there is one
    argparse -i d/db-dir= j/threads= method= seed= number= fixed= from= sheet= paper= per-page= color= -- (commandline -opc)[2..] 2>/dev/null
    set -l words (string match -v -- '-*' $argv)
    test -n "$words[1]"; and echo $words[1]
end

function __pdb_boards
    pdb-gen --list (__pdb_typed) 2>/dev/null | string replace -r '^(\S+) +(.*)' '$1\t$2'
end

for program in pdb-gen pdb-query pdb-serve
    complete -c $program -f
    complete -c $program -s d -l db-dir -x -a '(__fish_complete_directories (commandline -ct | string replace -r "^(--db-dir=|-d)" ""))' -d 'Where databases are'
    complete -c $program -s h -l help -d 'A summary of all options'
    complete -c $program -s V -l version -d 'The version'
end

for either in pdb-gen pdb-query
    complete -c $either -s j -l threads -x -d 'Threads to work with'
    complete -c $either -l json -d 'JSON objects, one a line'
    complete -c $either -l progress -d 'How far the work is, also where no terminal is'
    complete -c $either -l no-progress -d 'No progress on the terminal'
end

complete -c pdb-gen -a '(__pdb_puzzles)'
complete -c pdb-gen -l list -d 'The built-in puzzles, or the named boards of a puzzle'
complete -c pdb-gen -l verify -d 'Check an existing database completely'
complete -c pdb-gen -l check -d 'Check the rules of the puzzle'
complete -c pdb-gen -s f -l force -d 'Make the database again though one is there'
complete -c pdb-gen -l layouts -d 'Every way to put what a definition leaves open'
complete -c pdb-gen -l best -x -d 'With --layouts: so many are kept'
complete -c pdb-gen -l most -x -d 'With --layouts: no more ways than that'
complete -c pdb-gen -l checkpoint -x -d 'How often what is done is kept, in seconds'
complete -c pdb-gen -l scratch -x -a '(__fish_complete_directories (commandline -ct | string replace -r "^--scratch=" ""))' -d 'A disk for what memory has no room for'
complete -c pdb-gen -s m -l memory -x -d 'Never use more memory, as 512M or 8G'
complete -c pdb-gen -s q -l quiet -d 'No summary, only complaints'

complete -c pdb-query -n 'not __pdb_typed >/dev/null' -a '(__pdb_puzzles)'
complete -c pdb-query -n '__pdb_typed >/dev/null' -a '(__pdb_boards)'
complete -c pdb-query -l path -f -a 'all' -d 'One whole shortest solution, or a list of them'
complete -c pdb-query -l count -d 'How many shortest solutions there are'
complete -c pdb-query -l first -d 'With --count: how many begin with each move'
complete -c pdb-query -l bounds -d "The lower bounds of a search, and a peg board's class"
complete -c pdb-query -l hint -f -a '1\t"how far" 2\t"which piece" 3\t"the move"' -d 'How far, which piece, or the move'
complete -c pdb-query -l hardest -d 'The boards farthest from the goal'
complete -c pdb-query -l histogram -d 'How many states there are at each distance'
complete -c pdb-query -l random -d 'A random board'
complete -c pdb-query -l number -x -d 'So many different boards'
complete -c pdb-query -l unique -f -a 'first' -d 'Boards with one shortest solution, or one best first move'
complete -c pdb-query -l distinct -d 'No board like another by a symmetry'
complete -c pdb-query -l spread -d 'As many boards of each distance'
complete -c pdb-query -l fixed -x -d 'Boards with these cells'
complete -c pdb-query -l from -r -F -d 'The boards of a file, a line each'
complete -c pdb-query -l seed -x -d 'Makes a random board repeatable'
complete -c pdb-query -l info -d 'What the database says of itself'
complete -c pdb-query -l method -x -a 'auto\t"whatever is quick" db\t"only a database" search\t"search every board"' -d 'Where answers come from'
complete -c pdb-query -l play -d 'A game on the whole terminal'
complete -c pdb-query -l svg -d 'A picture'
complete -c pdb-query -l sheet -x -a '(__fish_complete_suffix .pdf; __fish_complete_suffix .svg)' -d 'Boards to print, with their solutions'
complete -c pdb-query -l paper -x -a 'a4 letter' -d 'Of a sheet'
complete -c pdb-query -l per-page -x -d 'So many boards on a page of a sheet'
complete -c pdb-query -l color -x -a 'auto always never' -d 'Colours'
complete -c pdb-query -l numbers -d 'The cells of every board with what moves call them'
complete -c pdb-query -l ascii -d 'Boards drawn with letters and digits only'

complete -c pdb-serve -a '(__pdb_puzzles)'
complete -c pdb-serve -l listen -x -a '127.0.0.1 0.0.0.0 ::1' -d 'Where to listen'
complete -c pdb-serve -l port -x -d 'At which port'
complete -c pdb-serve -l definitions -x -a '(__fish_complete_directories (commandline -ct | string replace "--definitions=" ""))' -d 'A directory of files that are offered too'
complete -c pdb-serve -l seconds -x -d 'Nothing that is asked takes longer'
complete -c pdb-serve -s m -l memory -x -d 'What a search may take, as 512M or 8G'
complete -c pdb-serve -l log -d 'A line a request'
