#!/bin/sh
# A player of any game by the protocol of gamesearch, in plain shell: it plays any legal move.
number=1
while IFS= read -r line; do
    case $line in
    begin) echo "ready 1" ;;
    "position "*) count=0 ;; # a turn begins: the legal moves follow
    "legal "*)
        # Keep one of the moves so far, each as likely as the others.
        count=$((count + 1)) number=$(((number * 75 + 74) % 65537))
        [ $((number % count)) -eq 0 ] && move=${line#legal }
        ;;
    "go "*) printf 'move %s\n' "$move" ;;
    quit) exit ;;
    esac
done
